# docker build -t rankmargin .
# docker run --rm rankmargin                                                    Table 1 of one paper, in 3 to 8 minutes
# docker run --rm rankmargin make reproduce EXPERIMENTS=smoke                   another experiment
# docker run --rm -v "$PWD:/data" rankmargin make compare CSV=/data/wines.csv TARGET=quality
FROM python:3.11-slim
RUN apt-get update && apt-get install -y --no-install-recommends git make && rm -rf /var/lib/apt/lists/*
WORKDIR /rankmargin
COPY . .
RUN make .venv/installed
CMD ["make", "reproduce"]
