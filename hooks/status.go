package hooks

// status says how an agent's hooks stand in a file.
func (h *Hooks) status(a agent, p place) AgentReport {
	ar := AgentReport{State: StateNone}
	if p.real == "" {
		return ar
	}
	c, err := p.read()
	if err != nil {
		return AgentReport{State: StateBroken, Notes: []string{err.Error()}}
	}
	rec, known, err := h.registry.find(a.name, p.real)
	if err != nil {
		ar.Notes = append(ar.Notes, err.Error())
	}
	ar.Backup = rec.Backup
	if !c.exists {
		return ar
	}
	d, err := a.parse(c.data)
	if err != nil {
		return AgentReport{State: StateBroken, Notes: []string{broken(p.path, err).Error()}}
	}
	ours := d.ours()
	switch {
	case d.foreign():
		ar.State = StateForeign
		ar.Notes = append(ar.Notes, "The file is not Turnwatch's. If you say so (--force), it is moved aside, and back when you uninstall.")
		return ar
	case len(ours) == 0:
		return ar
	case !d.complete():
		ar.State = StateModified
		ar.Notes = append(ar.Notes, "Some of Turnwatch's hooks were changed or removed, or are an older version's. Install puts them right.")
	case !known:
		ar.State = StateUnlinked
		ar.Notes = append(ar.Notes, "The hooks are there, but do not report to this Turnwatch yet. Install connects them.")
	default:
		ar.State = StateInstalled
	}
	if d.off() {
		ar.Notes = append(ar.Notes, `"`+a.off+`" in this file switches all hooks off.`)
	}
	if ar.State != StateUnlinked {
		if why := h.disconnected(a.name); why != "" {
			ar.Notes = append(ar.Notes, why)
		}
	}
	if a.review != nil {
		var notes []string
		ar.Trust, notes = a.review(h.cfg, p, d)
		ar.Notes = append(ar.Notes, notes...)
	}
	return ar
}

// off reports whether the file itself switches hooks off.
func (d document) off() bool {
	n := d.root.Get(d.agent.off)
	return n != nil && n.Decode(d.src) == true
}
