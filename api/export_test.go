package api

import "github.com/gofiber/fiber/v2"

// App lets tests walk the routes.
func (s *Server) App() *fiber.App { return s.app }
