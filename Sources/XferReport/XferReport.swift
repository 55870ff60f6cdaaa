// XferReport
