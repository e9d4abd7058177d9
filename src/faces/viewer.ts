import type { Size } from '../codecs/types.ts';
import { type Box, moveBox, type QuarterTurns, rotateBox, type ScoredBox, scaleBox } from './boxes.ts';
import type { Tiling } from './detection_plan.ts';
import { type EnlargedParts, mostSideEnlarged, showsUncut } from './enlarged_parts.ts';
import type { FaceModel } from './network/network.ts';
import { isCut } from './parts.ts';
import type { PassRunner } from './pass_runner.ts';
import type { Proposal, Sightings, View } from './proposals.ts';
import { fillEnlarged, fillPart, inputSize, type Picture, rotatedSize } from './tensor.ts';

/** Faces with fewer pixels than this in a model's input are left to finer views. */
const leastSide = 10;

/** The finest view counts twice: it shows most. */
const fineWeight = 2;

/** Puts a part of a picture into an input. */
type Fill = (part: Size, input: Size) => void;

/** Shows pictures to models. What they see there becomes proposals, in pixels of the raster. */
export class Viewer {
  readonly #raster: Size;
  readonly #runner: PassRunner;

  constructor(raster: Size, runner: PassRunner) {
    this.#raster = raster;
    this.#runner = runner;
  }

  /** @param least the least side of a face that the view judges, in pixels of the picture */
  viewOf(picture: Size, weight = 1, least = leastSide): View {
    return { weight, scale: picture.width / this.#raster.width, leastSide: least };
  }

  /** @param picture the shrunk or enlarged picture in whose pixels the box is */
  proposal(box: ScoredBox, picture: Size, view: View, cut = false): Proposal {
    const inRaster = scaleBox(box, this.#raster.width / picture.width, this.#raster.height / picture.height);
    return { ...inRaster, view, pass: this.#runner.passes, cut };
  }

  /** One pass over the whole picture, with a black margin of this many pixels on all sides. */
  async showWhole(picture: Picture, to: Sightings, view: View, model: FaceModel, margin = 0): Promise<void> {
    to.views.push(view);
    const fill: Fill = (part, input) =>
      fillPart(this.#runner, picture, 0, 0, part, input, to.rotation, margin);
    for (const box of await this.#show(picture, to.rotation, fill, model, margin))
      to.proposals.push(this.proposal(box, picture, view));
  }

  /** Makes the passes over tiles, which are one view, out of bands of the picture with a tile's rows. */
  tileShower({ size, tile }: Tiling, to: Sightings, model: FaceModel) {
    const view = this.viewOf(size, fineWeight);
    to.views.push(view);
    return async (band: Picture, left: number, top: number): Promise<void> => {
      const fill: Fill = (part, input) => fillPart(this.#runner, band, left, top, part, input, to.rotation);
      const area = { x: left, y: top, w: tile.width, h: tile.height };
      to.proposals.push(...(await this.#showPart(area, size, to.rotation, fill, view, model)));
    };
  }

  /**
   * Makes the passes over parts of an enlarged picture, which are one view. It says nothing of a face that no
   * part shows uncut, unless the parts are tiles of all of it.
   * @param picture all of its rows held
   */
  async showEnlarged(
    picture: Picture,
    { size, parts, isAll }: EnlargedParts,
    to: Sightings,
    model: FaceModel,
  ): Promise<void> {
    if (parts.length === 0) return;
    const shows = (box: Box) => showsUncut(parts, scaleBox(box, view.scale, view.scale), size);
    const view: View = {
      ...this.viewOf(size, fineWeight),
      mostSide: mostSideEnlarged,
      ...(!isAll && { shows }),
    };
    to.views.push(view);
    for (const area of parts) {
      const fill: Fill = (part, input) =>
        fillEnlarged(this.#runner.input, picture, size, area.x, area.y, part, input, to.rotation);
      const seen = await this.#showPart(area, size, to.rotation, fill, view, model);
      to.proposals.push(...seen.filter(({ cut }) => isAll || !cut));
    }
  }

  /** One pass over an area of a picture, which may reach beyond its right and lower edges. */
  async #showPart(
    area: Box,
    picture: Size,
    rotation: QuarterTurns,
    fill: Fill,
    view: View,
    model: FaceModel,
  ): Promise<Proposal[]> {
    const part = {
      width: Math.min(area.w, picture.width - area.x),
      height: Math.min(area.h, picture.height - area.y),
    };
    return (await this.#show(part, rotation, fill, model)).map((box) => {
      const placed = moveBox(box, area.x, area.y);
      return this.proposal(placed, picture, view, isCut(placed, area, picture));
    });
  }

  /** One pass over a part that is rotated. @returns boxes in pixels of the part */
  async #show(
    part: Size,
    rotation: QuarterTurns,
    fill: Fill,
    model: FaceModel,
    margin = 0,
  ): Promise<ScoredBox[]> {
    const rotated = rotatedSize(part, rotation);
    const size = inputSize({ width: rotated.width + 2 * margin, height: rotated.height + 2 * margin });
    fill(part, size);
    const back = ((4 - rotation) % 4) as QuarterTurns;
    return (await this.#runner.run(model, size)).map((box) =>
      rotateBox(moveBox(box, -margin, -margin), back, rotated),
    );
  }
}
