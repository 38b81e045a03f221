FROM tollgate-stand-in/base
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends haproxy >/dev/null \
 && mkdir -p /usr/local/etc/haproxy
STOPSIGNAL SIGUSR1
USER haproxy
ENTRYPOINT ["haproxy", "-W", "-db"]
CMD ["-f", "/usr/local/etc/haproxy/haproxy.cfg"]
