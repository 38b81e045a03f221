FROM tollgate-stand-in/base
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends redis-server redis-tools >/dev/null \
 && usermod --uid 999 redis && mkdir -p /data && chown redis /data
# As in the official image, which has no password either and relies on the network of the containers.
RUN printf '#!/bin/sh\nexec "$@" --protected-mode no\n' >/usr/local/bin/docker-entrypoint.sh \
 && chmod +x /usr/local/bin/docker-entrypoint.sh
WORKDIR /data
VOLUME /data
USER redis
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["redis-server"]
