/** The ops in the samples in other languages; contains no quote that would end a string in any of them. */
const OPS = '{"pixelate":{"strength":4},"output":{"maxWidth":1600}}';

/** POST /v1/sanitize in languages other than the shell's, each a whole program. */
export const sanitizePrograms: readonly {
  readonly lang: string;
  readonly label: string;
  readonly sourceAt: (origin: string) => string;
}[] = [
  {
    lang: 'JavaScript',
    label: 'fetch',
    sourceAt: (origin) => `import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';

const form = new FormData();
form.append('image', await openAsBlob('photo.jpg'), 'photo.jpg');
form.append('ops', '${OPS}');
const answer = await fetch('${origin}/v1/sanitize', {
  method: 'POST',
  headers: { Authorization: \`Bearer \${process.env.IMAGE_SANITIZER_KEY}\` },
  body: form,
});
if (!answer.ok) throw new Error((await answer.json()).message);
await writeFile('clean.jpg', new Uint8Array(await answer.arrayBuffer()));
`,
  },
  {
    lang: 'Python',
    label: 'Python (httpx)',
    sourceAt: (origin) => `import os
import httpx

with open("photo.jpg", "rb") as photo:
    answer = httpx.post(
        "${origin}/v1/sanitize",
        headers={"Authorization": f"Bearer {os.environ['IMAGE_SANITIZER_KEY']}"},
        files={"image": photo},
        data={"ops": '${OPS}'},
        timeout=120,
    )
if answer.is_error:
    raise SystemExit(answer.json()["message"])
with open("clean.jpg", "wb") as clean:
    clean.write(answer.content)
`,
  },
  {
    lang: 'PHP',
    label: 'PHP',
    sourceAt: (origin) => `<?php
$ops = urlencode('${OPS}');
$clean = file_get_contents("${origin}/v1/sanitize?ops=$ops", false, stream_context_create(['http' => [
    'method' => 'POST',
    'header' => ['Content-Type: image/jpeg', 'Authorization: Bearer ' . getenv('IMAGE_SANITIZER_KEY')],
    'content' => file_get_contents('photo.jpg'),
]]));
if ($clean === false) exit(1);
file_put_contents('clean.jpg', $clean);
`,
  },
  {
    lang: 'Go',
    label: 'Go',
    sourceAt: (origin) => `package main

import (
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
)

func main() {
	photo, err := os.Open("photo.jpg")
	if err != nil {
		log.Fatal(err)
	}
	ops := url.QueryEscape(\`${OPS}\`)
	request, err := http.NewRequest("POST", "${origin}/v1/sanitize?ops="+ops, photo)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Content-Type", "image/jpeg")
	request.Header.Set("Authorization", "Bearer "+os.Getenv("IMAGE_SANITIZER_KEY"))
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	clean, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != 200 {
		log.Fatal(err, string(clean))
	}
	if err := os.WriteFile("clean.jpg", clean, 0o600); err != nil {
		log.Fatal(err)
	}
}
`,
  },
];
