#!/bin/sh
# Called as the real one is: minio server /data
exec node /minio/minio-main.ts "$2"
