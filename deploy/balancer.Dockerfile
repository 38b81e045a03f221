# HAProxy with its settings, owned by the user who reads them, whatever the mode of the file in the checkout.
FROM haproxy:3.2-alpine
COPY --chown=haproxy haproxy.cfg /usr/local/etc/haproxy/
