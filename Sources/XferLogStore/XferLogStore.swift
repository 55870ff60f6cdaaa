// XferLogStore
