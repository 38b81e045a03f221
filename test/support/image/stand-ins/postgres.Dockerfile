FROM tollgate-stand-in/base
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql >/dev/null \
 && mkdir -p /var/lib/postgresql /run/postgresql \
 && chown -R postgres /var/lib/postgresql /run/postgresql && chmod 3777 /var/lib/postgresql /run/postgresql \
 && ln -s /usr/lib/postgresql/*/bin/pg_isready /usr/local/bin/
COPY postgres-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
RUN chmod +x /usr/local/bin/docker-entrypoint.sh
VOLUME /var/lib/postgresql
EXPOSE 5432
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["postgres"]
