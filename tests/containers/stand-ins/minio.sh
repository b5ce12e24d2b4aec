#!/bin/sh
# Called like the real one: minio server /data
exec node /minio/minio-main.ts "$2"
