/** What differs between the runtimes of the library; the package's `imports` select one implementation. */
export interface Home {
  /** The bytes of a file that comes with the package. */
  readFile(address: URL): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * The chunks of a local file named by a caller, by its path or its `file:` URL.
   * @throws TypeError if local files can't be opened here; the file system's error
   */
  openFile(name: string | URL): Promise<AsyncIterable<Uint8Array>>;
  /** Resolves after one turn of the event loop. */
  nextTurn(): Promise<void>;
}
