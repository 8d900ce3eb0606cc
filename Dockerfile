# bench in a container, from the unpacked tarball of a release: docker build --tag bench .
# docker run --rm --volume "$PWD:/project" bench run --suite squat
FROM debian:12-slim AS git
RUN apt-get update && apt-get install --yes --no-install-recommends git

FROM debian:12-slim
# The charts' font, and where it is to be found.
RUN apt-get update && apt-get install --yes --no-install-recommends fontconfig-config fonts-dejavu-core && rm -rf /var/lib/apt/lists/*
# The program alone reads commits; the rest of git needs perl.
COPY --from=git /usr/bin/git /usr/bin/git
COPY --from=git /usr/share/doc/git/copyright /usr/share/doc/git/copyright
COPY bin/bench /usr/local/bin/bench
COPY LICENSE THIRD-PARTY /usr/share/doc/form-bench/
WORKDIR /project
ENTRYPOINT ["bench"]
