// XferLifecycle
