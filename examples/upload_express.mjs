// Photos are cleaned before an Express handler sees them; originals are never written to disk.
// npm install express multer image-sanitizer
import express from 'express';
import { cleanStorage } from 'image-sanitizer/upload';
import { createSanitizer } from 'image-sanitizer/worker';
import multer from 'multer';

// On separate threads, so that other requests are answered meanwhile.
const threads = createSanitizer({ workers: 2 });
const storage = cleanStorage({ sanitize: (...call) => threads.sanitize(...call) });
// Without a limit of fields, multer keeps texts of any length.
const limits = { files: 4, fileSize: 10 * 1024 * 1024, fields: 20, fieldSize: 64 * 1024 };
const uploads = multer({ storage, limits });

const app = express();
const album = new Map();

app.post('/photos', uploads.array('photo'), (request, response) => {
  const ids = request.files.map(({ buffer, mimetype }) => {
    const id = crypto.randomUUID();
    album.set(id, { buffer, mimetype });
    return id;
  });
  response.status(201).json({ ids });
});

app.get('/photos/:id', (request, response, next) => {
  const found = album.get(request.params.id);
  if (!found) return next();
  response.type(found.mimetype).send(found.buffer);
});

app.use((error, _request, response, _next) => {
  const status = error.status ?? (error instanceof multer.MulterError ? 413 : 500);
  response.status(status).json({ error: error.code, message: status < 500 ? error.message : 'It failed' });
});

const server = app.listen(process.env.PORT ?? 3000, () => console.log(`port ${server.address().port}`));
