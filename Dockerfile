# One static program in an image without a shell, run by nobody.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /shop ./cmd/shop

# It brings certificate authorities, which mail servers and providers are checked by.
FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /shop /shop
USER 65532:65532
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=6s --start-period=30s CMD ["/shop", "healthcheck"]
ENTRYPOINT ["/shop"]
CMD ["serve"]
