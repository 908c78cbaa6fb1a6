module petstore

go 1.26
