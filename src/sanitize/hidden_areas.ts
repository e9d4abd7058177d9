import type { Size } from '../codecs/types.ts';
import { holdsCentre } from '../faces/boxes.ts';
import type { SanitizeOps } from '../ops/schema.ts';
import { blockEdge } from '../pixels/block_edges.ts';
import type { Area } from '../pixels/ellipse.ts';
import type { Colour } from '../pixels/fill.ts';
import type { Hidden } from '../pixels/hide.ts';
import type { Mosaic } from '../pixels/mosaic.ts';
import {
  coarserFaceBlock,
  type FaceBox,
  faceArea,
  foundFaceBlock,
  joinMosaics,
  regionAreas,
} from './mosaic_plan.ts';
import { type FaceMosaic, joinNeighbourGrids } from './neighbour_grids.ts';

/** The caller's region, or one for something found. */
export type HiddenRegion = SanitizeOps['pixelate']['regions'][number] & {
  /** Whether areas to be spared stay visible in it. */
  readonly givesWay?: boolean;
};

/** The ops that say what is hidden and how. */
type Pixelate = Pick<SanitizeOps['pixelate'], 'strength' | 'padding' | 'fill' | 'faceFill' | 'except'> & {
  readonly regions: readonly HiddenRegion[];
};

/** What is hidden in one output image, and why. */
export interface HiddenAreas {
  readonly hidden: Hidden;
  /** All that blocks or colour are meant to hide: regions, and faces with their padding. */
  readonly areas: readonly Area[];
  /** What is filled, as if nothing were spared. */
  readonly filled: readonly Area[];
  /** Regions that become blocks. */
  readonly mosaicRegions: readonly Area[];
  readonly regionsFilled: number;
  readonly facesSpared: number;
}

/** A face, and the edge of the blocks that it would have without neighbours. */
interface FaceBlocks {
  readonly face: FaceBox;
  readonly block: number;
}

/** Whether a face stays visible: its centre lies in one of the areas to be spared. */
export const isSpared = ({ except }: Pick<Pixelate, 'except'>, face: FaceBox): boolean =>
  except.some((area) => holdsCentre(area, face));

/** The colour of fills; in a grey output its luma (ITU-R BT.601-7, 2.5.1). */
export function fillColour({ pixelate, grayscale }: Pick<SanitizeOps, 'pixelate' | 'grayscale'>): Colour {
  const value = Number.parseInt(pixelate.colour.slice(1), 16);
  const [red, green, blue] = [value >> 16, (value >> 8) & 255, value & 255] as const;
  if (!grayscale) return { red, green, blue };
  const luma = Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
  return { red: luma, green: luma, blue: luma };
}

/**
 * What is hidden: the caller's regions, the detected faces, and the faces that the second detection still
 * found. Areas to be spared are left out of all these, except where they lie in a region or in the tight box
 * of a face to be hidden: that much is hidden all the same.
 * @param colour of fills
 * @param faces in output pixels, tight as the detector gave them; `foundAgain` too
 */
export function hiddenAreas(
  pixelate: Pixelate,
  colour: Colour,
  faces: readonly FaceBox[],
  foundAgain: readonly FaceBox[],
  output: Size,
): HiddenAreas {
  const { strength, regions, faceFill } = pixelate;
  const block = blockEdge(strength, output);
  const fillOf = (region: HiddenRegion) => region.fill ?? pixelate.fill;
  const solid = regions.filter((region) => fillOf(region) === 'solid');
  const filledRegions = regionAreas(solid, output);
  const mosaicRegions = regionAreas(
    regions.filter((region) => fillOf(region) === 'mosaic'),
    output,
  );
  const first = faces.map((face) => ({ face, block: foundFaceBlock(face, strength, output) }));
  const again = foundAgain.map((face) => ({ face, block: coarserFaceBlock(face, strength, output) }));

  const spared = regionAreas(pixelate.except, output);
  const hiddenFaces = [...faces, ...foundAgain].filter((face) => !isSpared(pixelate, face));
  const faceBoxes = regionAreas(hiddenFaces, output);
  const faceAreas = hiddenFaces.flatMap((face) => faceArea(face, pixelate.padding, output) ?? []);
  const isSolid = faceFill === 'solid';
  const filled = [...filledRegions, ...(isSolid ? faceAreas : [])];
  const inMosaic = [...mosaicRegions, ...(isSolid ? [] : faceBoxes)];
  const mosaics = [
    ...joinMosaics([
      { block, areas: mosaicRegions },
      ...(isSolid ? [] : faceMosaics(first, pixelate, output)),
    ]),
    ...joinMosaics(isSolid ? [] : faceMosaics(again, pixelate, output)),
  ];
  return {
    hidden: {
      mosaics,
      filled:
        spared.length === 0
          ? filled
          : {
              all: [
                { of: filled, without: spared },
                regionAreas(
                  solid.filter(({ givesWay }) => !givesWay),
                  output,
                ),
                isSolid ? faceBoxes : [],
              ],
            },
      colour,
      spared: spared.length === 0 ? [] : { of: spared, without: inMosaic },
    },
    areas: [...filledRegions, ...mosaicRegions, ...faceAreas],
    filled,
    mosaicRegions,
    regionsFilled: filledRegions.length,
    facesSpared: faces.filter((face) => isSpared(pixelate, face)).length,
  };
}

/**
 * One mosaic for each face, whose grid coincides with those of its neighbours. A face to be spared counts as
 * a neighbour, so that the other faces' blocks are the same with and without it; then it is left out.
 */
function faceMosaics(faces: readonly FaceBlocks[], pixelate: Pixelate, output: Size): Mosaic[] {
  const inside = faces.flatMap(({ face, block }) => {
    const area = faceArea(face, pixelate.padding, output);
    return area ? [{ face, mosaic: { block, areas: [area] } satisfies FaceMosaic }] : [];
  });
  const mosaics = inside.map(({ mosaic }) => mosaic);
  return joinNeighbourGrids(mosaics, output).filter(
    (_mosaic, index) => !isSpared(pixelate, inside[index]!.face),
  );
}
