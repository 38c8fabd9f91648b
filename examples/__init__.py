"""Programs that use the library, kept small and tested."""
