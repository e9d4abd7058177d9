import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type FaceReference, faceTensors, summarise } from '../../fixtures/face_tensors.ts';
import { openReferenceModel } from '../../fixtures/reference_model.ts';

/**
 * What onnxruntime-web says in plain Node is kept in reference.json, which the Workers runtime is held to.
 * Renew it with `vitest run -u` on this file.
 */
it('onnxruntime-web gives what reference.json holds', async () => {
  const reference: Record<string, FaceReference> = {};
  for (const file of ['face_detector', 'yunet_n']) {
    const model = await openReferenceModel(readFileSync(`models/${file}.onnx`));
    const said: FaceReference = {};
    for (const { name, image, width, height } of faceTensors()) {
      const { boxes, scores } = await model.run(image, width, height);
      said[name] = summarise(boxes, scores);
    }
    reference[file] = said;
  }
  // One candidate a line.
  const text = JSON.stringify(reference, null, 2).replace(/\[[\s\d.,-]+\]/g, (list) =>
    list.replace(/\s+/g, ' ').replace(/^\[ | \]$/g, (end) => end.trim()),
  );
  await expect(`${text}\n`).toMatchFileSnapshot('./reference.json');
});
