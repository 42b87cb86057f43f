# Touchstone with the Syzygy tables of three and four men. It runs as any user: docker build --tag touchstone . && docker run --rm \
#   --volume "$PWD:/work" --user "$(id -u):$(id -g)" touchstone verify --engine ./mine
# From the first release on the program is the released one, whose sum is in scripts/release/SHA256SUMS. With --build-arg PROGRAM=built it is built from these sources.
ARG PROGRAM=released

FROM debian:bookworm-slim AS released
RUN apt-get update -q && apt-get install -qy --no-install-recommends ca-certificates curl && rm -rf /var/lib/apt/lists/*
WORKDIR /touchstone
COPY Cargo.toml .
COPY scripts/release scripts/release
RUN scripts/release/install.sh /opt/touchstone/bin

FROM rust:1.95-slim-bookworm AS built
WORKDIR /touchstone
COPY . .
RUN cargo install --locked --path xtask --bin touchstone --root /opt/touchstone

FROM ${PROGRAM} AS tables
ENV TOUCHSTONE_CACHE=/opt/touchstone/cache
RUN /opt/touchstone/bin/touchstone tables fetch --men 4

FROM debian:bookworm-slim
RUN apt-get update -q && apt-get install -qy --no-install-recommends git && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 touchstone && mkdir /work && chown touchstone /work
COPY --from=tables --chown=touchstone /opt/touchstone /opt/touchstone
# With --user it is run by a user whom the image does not know.
RUN chmod -R a+rwX /opt/touchstone/cache
ENV PATH=/opt/touchstone/bin:$PATH TOUCHSTONE_CACHE=/opt/touchstone/cache
USER touchstone
WORKDIR /work
ENTRYPOINT ["touchstone"]
CMD ["--help"]
