#!/bin/sh
# Initializes an empty volume with the requested user, password and database, then execs the command.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  password=$(mktemp)
  printf '%s' "$POSTGRES_PASSWORD" >"$password"
  initdb --pgdata="$PGDATA" --username="$POSTGRES_USER" --pwfile="$password" --auth=scram-sha-256 \
    --encoding=UTF8 --locale=C.UTF-8
  rm "$password"
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  if [ "${POSTGRES_DB:-$POSTGRES_USER}" != postgres ]; then
    echo "create database \"${POSTGRES_DB:-$POSTGRES_USER}\"" | postgres --single -D "$PGDATA" postgres
  fi
fi
exec "$@" -c listen_addresses='*'
