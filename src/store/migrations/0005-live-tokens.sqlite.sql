-- Whoever issues a token counts the client's live ones first.
CREATE INDEX tokens_live ON tokens (client_id, epoch, expires_at);
DROP INDEX tokens_client;
