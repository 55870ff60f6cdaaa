// XferEngine
