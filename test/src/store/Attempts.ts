/** An attempt to deliver an event, for tests of what is stored. */
export const attempt = {
  at: 1,
  timestamp: "1970-01-01T00:00:00Z",
  url: "https://hooks.example.com",
  isResend: false,
  latencyMillis: 1,
  headers: {},
}
