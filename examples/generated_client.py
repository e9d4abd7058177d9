"""Finds faces and cleans photo.jpg by a client that OpenAPI Generator has made of /openapi.json.

Tried with the last release that npm has whole, which needs Java and reads OpenAPI 3.0:
    npm install @openapitools/openapi-generator-cli@1.0.18-5.0.0-beta2 @apiture/openapi-down-convert@0.14.2
    curl -o openapi.json "$IMAGE_SANITIZER_URL/openapi.json"
    npx openapi-down-convert --input openapi.json --output openapi-3.0.json
    npx openapi-generator generate --skip-validate-spec -i openapi-3.0.json -g python \\
        --package-name image_sanitizer -o client
    apt-get install python3-urllib3 python3-six python3-dateutil python3-certifi
    PYTHONPATH=client python3 generated_client.py
"""
import base64
import json
import os
import shutil
import image_sanitizer as service

with open("photo.jpg", "rb") as photo:
    image = base64.b64encode(photo.read()).decode()
configuration = service.Configuration(host=os.environ["IMAGE_SANITIZER_URL"])
configuration.access_token = os.environ["IMAGE_SANITIZER_KEY"]
images = service.ImagesApi(service.ApiClient(configuration))
try:
    looked = service.DetectOps(confidence=0.5)
    found = images.detect_faces(service.DetectRequest(image=image, ops=looked), _request_timeout=120)
    print(f"Faces found: {found.count}, {[(face.x, face.y, face.w, face.h) for face in found.faces]}")
    ops = service.SanitizeOps(
        pixelate=service.SanitizeOpsPixelate(strength=4),
        output=service.SanitizeOpsOutput(max_width=1600),
    )
    clean = images.sanitize_image(service.SanitizeRequest(image=image, ops=ops), _request_timeout=120)
    shutil.move(clean, "clean.jpg")
except service.ApiException as refused:
    raise SystemExit(json.loads(refused.body)["message"])
