// Only the dependencies of this target matter: see Package.swift.
