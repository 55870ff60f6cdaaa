// XferDiagnosis
