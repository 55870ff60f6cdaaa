// XferScript
