/** What differs between the places that the library runs in; the package's `imports` name one of them. */
export interface Home {
  /** The bytes of a file that comes with the package. */
  readFile(address: URL): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * The chunks of a local file that a caller names, by its path or its `file:` URL.
   * @throws TypeError where there are none; the file system's error
   */
  openFile(name: string | URL): Promise<AsyncIterable<Uint8Array>>;
  /** Resolves when the event loop has gone round. */
  nextTurn(): Promise<void>;
}
