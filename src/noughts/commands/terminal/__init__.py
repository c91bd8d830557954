"""What commands share: arguments, errors, progress."""
