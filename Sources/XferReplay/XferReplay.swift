// XferReplay
