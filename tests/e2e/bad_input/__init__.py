"""Bad input and bad conditions, met by real `keel` processes on real folders; `README.md` lists every row."""
