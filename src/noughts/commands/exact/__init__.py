"""Commands that say what is certain: values, odds, proofs, counts."""
