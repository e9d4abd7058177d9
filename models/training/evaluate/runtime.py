"""ONNX files in onnxruntime-web, by a Node.js process (runtime.mjs): figures are taken from what the service runs."""
import json
import os
import struct
import subprocess
from pathlib import Path

import numpy as np


class Runtime:
    """Holds the sessions of several files. Needs `node` (NODE names another) and the project's node_modules."""

    def __init__(self, files: list[str | Path]):
        script = Path(__file__).with_name("runtime.mjs")
        command = [os.environ.get("NODE", "node"), "--no-warnings", str(script), *(str(Path(f).resolve()) for f in files)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, model: int, image: np.ndarray) -> tuple[dict[str, np.ndarray], float]:
        """image uint8 [H, W, 3], channels as the model wants them -> outputs by name, and the milliseconds it took."""
        height, width = image.shape[:2]
        head = json.dumps(dict(model=model, width=width, height=height)).encode()
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin and stdout
        stdin.write(struct.pack("<I", len(head)) + head + np.ascontiguousarray(image, np.uint8).tobytes())
        stdin.flush()
        answer = json.loads(self._read(struct.unpack("<I", self._read(4))[0]))
        outputs = {}
        for output in answer["outputs"]:
            values = np.frombuffer(self._read(4 * int(np.prod(output["dims"]))), np.float32)
            outputs[output["name"]] = values.reshape(output["dims"])
        return outputs, answer["ms"]

    def _read(self, length: int) -> bytes:
        assert self.process.stdout
        data = self.process.stdout.read(length)
        if len(data) < length:
            raise RuntimeError(f"the runtime stopped with status {self.process.wait()}; its message is above")
        return data

    def close(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe
            pipe.close()
        self.process.wait()

    def __enter__(self) -> "Runtime":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
