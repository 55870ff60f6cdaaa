// XferQuery
