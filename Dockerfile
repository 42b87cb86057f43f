# Touchstone with the Syzygy tables of three and four men: docker build -t touchstone . && docker run --rm -v "$PWD:/work" touchstone verify --engine ./mine
FROM rust:1.95-slim-bookworm AS build
WORKDIR /touchstone
COPY . .
RUN cargo install --locked --path xtask --bin touchstone --root /opt/touchstone
ENV TOUCHSTONE_CACHE=/opt/touchstone/cache
RUN /opt/touchstone/bin/touchstone tables fetch --men 4

FROM debian:bookworm-slim
RUN apt-get update -q && apt-get install -qy --no-install-recommends git && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 touchstone && mkdir /work && chown touchstone /work
COPY --from=build --chown=touchstone /opt/touchstone /opt/touchstone
ENV PATH=/opt/touchstone/bin:$PATH TOUCHSTONE_CACHE=/opt/touchstone/cache
USER touchstone
WORKDIR /work
ENTRYPOINT ["touchstone"]
CMD ["--help"]
