# Replaces the minio image: our own S3 server, and an `mc` that supports only `mc ready local`.
FROM stand-in/node
COPY infra /minio/infra
COPY zod /minio/node_modules/zod
COPY minio-main.ts /minio/
COPY minio.sh /usr/local/bin/minio
COPY mc.sh /usr/local/bin/mc
RUN mkdir /data /minio/node_modules/@draftshelf && ln -s ../../infra /minio/node_modules/@draftshelf/infra
VOLUME /data
EXPOSE 9000
ENTRYPOINT ["minio"]
