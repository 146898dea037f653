hello
hello
