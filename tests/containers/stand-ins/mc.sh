#!/bin/sh
# Called like the real one: mc ready local
exec node --eval "fetch('http://127.0.0.1:9000').then(() => process.exit(0), () => process.exit(1))"
