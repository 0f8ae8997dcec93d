// elheif's index imports './elheif-wasm' without its extension, which Node does not resolve; this file of the package is loaded
// itself. It is a plain script that leaves its factory on globalThis.
declare module 'elheif/pkg/elheif-wasm.js' {}
