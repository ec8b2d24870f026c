-- +goose Up

-- Whether the turn was taken back: later requests to the model do not include it.
ALTER TABLE turns ADD COLUMN rewound INTEGER NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE turns DROP COLUMN rewound;
