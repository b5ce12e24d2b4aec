# Replaces the postgres image: Debian's Postgres, with what compose needs of that image.
FROM stand-in/debian
ENV DEBIAN_FRONTEND=noninteractive
RUN apt-get update \
 && apt-get install --yes --no-install-recommends postgresql \
 && rm -rf /var/lib/apt/lists/* /var/lib/postgresql/* && ln -s /usr/lib/postgresql/* /opt/postgresql
ENV PATH=/opt/postgresql/bin:$PATH PGDATA=/var/lib/postgresql/stand-in
# As in the real image: a tmpfs over the directory of the socket gets its mode, but belongs to root.
RUN chown postgres:postgres /var/lib/postgresql && chmod 3777 /run/postgresql
COPY postgres-entrypoint.sh /usr/local/bin/postgres-entrypoint
VOLUME /var/lib/postgresql
USER postgres
EXPOSE 5432
ENTRYPOINT ["postgres-entrypoint"]
CMD ["postgres"]
