package collector

// CleanUp says when an agent deletes its own logs. What Turnwatch has read is kept, but whole texts are read from the log.
type CleanUp struct {
	Agent    Agent  `json:"agent"`
	Root     string `json:"root"`     // the directory whose logs are deleted
	Days     int    `json:"days"`     // age of a log, by its last change
	Setting  string `json:"setting"`  // what the agent calls it
	Settings string `json:"settings"` // the file in which it is set, or may be
	Default  bool   `json:"default"`  // nobody set it
}
