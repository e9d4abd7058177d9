/**
 * Sends a request of a trial and receives its whole answer.
 * @param {{ path: string, body: BodyInit, type: string }} request
 * @returns {Promise<number>} the status; 0 where there is no answer
 */
export async function post(address, key, { path, body, type }) {
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': type,
    Accept: 'application/json, text/event-stream',
  };
  try {
    const answer = await fetch(address + path, { method: 'POST', headers, body });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}
