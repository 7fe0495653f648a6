"""What every tool is made of: how one is declared, looked up, checked, limited and executed."""
