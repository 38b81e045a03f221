#!/bin/sh
# The part of the official image's entry point that the compose file relies on: it starts as root, hands its folders
# over to the user postgres, continues as that user, and creates the database on the first start.
set -e
programs=$(echo /usr/lib/postgresql/*/bin)
export PGDATA="${PGDATA:-/var/lib/postgresql/data}"

if [ "$(id -u)" = 0 ]; then
  # Folders that are mounted as tmpfs belong to root.
  mkdir -p "$PGDATA" /var/run/postgresql
  chmod 700 "$PGDATA"
  chmod 3777 /var/run/postgresql
  chown -R postgres "$PGDATA"
  chown postgres /var/run/postgresql
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf '%s' "${POSTGRES_PASSWORD:?set it}" >/tmp/password
  "$programs/initdb" -D "$PGDATA" -U "${POSTGRES_USER:-postgres}" --pwfile=/tmp/password --auth-host=scram-sha-256 >/dev/null
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  "$programs/pg_ctl" -D "$PGDATA" -o '-c listen_addresses=' -w start >/dev/null
  [ "${POSTGRES_DB:-postgres}" = postgres ] || "$programs/createdb" -U "${POSTGRES_USER:-postgres}" "$POSTGRES_DB"
  "$programs/pg_ctl" -D "$PGDATA" -m fast -w stop >/dev/null
fi

[ "$1" = postgres ] && shift
exec "$programs/postgres" -c 'listen_addresses=*' "$@"
