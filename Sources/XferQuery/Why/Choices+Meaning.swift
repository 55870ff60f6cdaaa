import XferEvents

// The meanings of choices, from the vocabulary.

extension Vocabulary {
  fileprivate static func meaning(of name: String, among choice: String) -> String {
    choices.first { $0.name == choice }?.cases.first { $0.name == name }?.summary ?? name
  }
}

extension Actor { var meaning: String { Vocabulary.meaning(of: name, among: "Actor") } }
extension AttemptEnd { var meaning: String { Vocabulary.meaning(of: name, among: "AttemptEnd") } }
extension CancelReason { var meaning: String { Vocabulary.meaning(of: name, among: "CancelReason") } }
extension DropReason { var meaning: String { Vocabulary.meaning(of: name, among: "DropReason") } }
extension ExitReason { var meaning: String { Vocabulary.meaning(of: name, among: "ExitReason") } }
extension ForgetReason { var meaning: String { Vocabulary.meaning(of: name, among: "ForgetReason") } }
extension HoldReason { var meaning: String { Vocabulary.meaning(of: name, among: "HoldReason") } }
extension HoldWakeReason { var meaning: String { Vocabulary.meaning(of: name, among: "HoldWakeReason") } }
