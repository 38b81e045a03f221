FROM tollgate-stand-in/base AS base
# The official image has none of these either.
RUN find /usr/share/doc /usr/share/info /usr/share/man -type f -delete \
 && rm -rf /usr/share/locale/* /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/*-old
FROM scratch
COPY --from=base / /
CMD ["bash"]
