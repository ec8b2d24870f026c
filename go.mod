module github.com/turnwatch/turnwatch

go 1.26
