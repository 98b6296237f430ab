print("pipit")
