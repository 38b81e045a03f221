# HAProxy with its configuration, readable for its user whatever the mode in the checkout.
FROM haproxy:3.2-alpine
COPY --chown=haproxy haproxy.cfg /usr/local/etc/haproxy/
