"""What happens in one tab's documents: navigation, frames, dialogs, scripts, and recovery."""
