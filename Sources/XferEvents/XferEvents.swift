// XferEvents
