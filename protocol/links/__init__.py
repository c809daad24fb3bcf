"""Links between peers: pinned TLS 1.3, frames, limits; no game and no entries here."""
