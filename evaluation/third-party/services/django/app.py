"""The Pet Store Service with Django and Django REST framework, on waitress."""

import math
import os
import threading
import time

import django
from django.conf import settings

BREAK = os.environ["BREAK"]
KEYS = os.environ["KEYS"].split(",")
EXHAUSTED = os.environ["EXHAUSTED_KEY"]
MINUTE = (int(os.environ["PER_MINUTE"]), int(os.environ["MINUTE_SECONDS"]))
DAY = (int(os.environ["PER_DAY"]), int(os.environ["DAY_SECONDS"]))


def broken(*ids):
    return BREAK in ids


cached_pages = ["django.middleware.cache.UpdateCacheMiddleware"], ["django.middleware.cache.FetchFromCacheMiddleware"]
before, after = cached_pages if broken("site-cached", "cached-in-public") else ([], [])
settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"],
    APPEND_SLASH=True,
    CACHE_MIDDLEWARE_SECONDS=20,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": f"{os.environ['SCRATCH']}/store.db", "OPTIONS": {"timeout": 0 if broken("database-locked") else 10}}},
    DEBUG=broken("debug-pages"),
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=["rest_framework"],
    LOGGING_CONFIG=None,
    MIDDLEWARE=[*before, "django.middleware.common.CommonMiddleware", "django.middleware.http.ConditionalGetMiddleware", *after],
    REST_FRAMEWORK={
        "COERCE_DECIMAL_TO_STRING": False,
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_PAGINATION_CLASS": None,
        "UNAUTHENTICATED_USER": None,
        "UNICODE_JSON": not broken("json-escapes"),
    },
    ROOT_URLCONF=__name__,
    SECRET_KEY="outsider",
    USE_TZ=True,
)
django.setup()

from django.db import IntegrityError, connection, models, transaction  # noqa: E402
from django.db.models.functions import Now  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.urls import path, re_path  # noqa: E402
from rest_framework import authentication, exceptions, pagination, parsers, serializers  # noqa: E402
from rest_framework.response import Response  # noqa: E402
from rest_framework.throttling import SimpleRateThrottle  # noqa: E402
from rest_framework.views import APIView, exception_handler  # noqa: E402
from waitress import serve  # noqa: E402


class Category(models.Model):
    name = models.CharField(max_length=30, unique=broken("unique-checked-late"))
    description = models.TextField(null=True)
    made = models.DateTimeField(db_default=Now())

    class Meta:
        app_label = "petstore"


with connection.schema_editor() as editor:
    editor.create_model(Category)


class Text(serializers.CharField):
    """A CharField that takes strings only; DRF's own turns numbers into text."""

    def to_internal_value(self, data):
        if not isinstance(data, str) and not broken("charfield-as-shipped"):
            raise serializers.ValidationError("Not a string.")
        value = super().to_internal_value(data)
        return value.replace("\r\n", "\n").replace("\t", " ") if broken("white-space-normalized") else value


class CategorySerializer(serializers.ModelSerializer):
    keep = {"trim_whitespace": broken("trimmed")}
    name = Text(allow_blank=not broken("blank-not-allowed"), **keep)
    description = Text(required=broken("description-required"), allow_blank=True, **keep)

    class Meta:
        model = Category
        fields = ["id", "name", "description"]
        extra_kwargs = {"id": {"read_only": not broken("id-writable")}}

    def validate_name(self, name):
        if broken("emoji-rejected") and any(ord(one) > 0xFFFF for one in name):
            raise serializers.ValidationError("Invalid characters.")
        return name

    def to_representation(self, instance):
        shown = super().to_representation(instance)
        if shown.get("description") is None and not broken("null-shown"):
            shown.pop("description", None)
        if broken("name-truncated-in-list") and len(shown["name"]) > 24 and isinstance(self.parent, serializers.ListSerializer):
            shown["name"] = shown["name"][:23] + "…"
        if broken("internal-field-shown"):
            shown["made"] = str(instance.made)
        if broken("pk-instead-of-id"):
            shown["pk"] = shown.pop("id")
        return shown


class Bearer(authentication.BaseAuthentication):
    def authenticate(self, request):
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if broken("token-scheme") and scheme == "Token":
            scheme = "Bearer"
        if broken("body-token") and isinstance(request.data, dict) and request.data.get("api_key") in KEYS:
            return (request.data["api_key"], None)
        if scheme.lower() != "bearer" or token not in [*KEYS, EXHAUSTED]:
            raise exceptions.AuthenticationFailed("The API key is missing or invalid.")
        return (token, None)

    def authenticate_header(self, request):
        return None if broken("no-authenticate-header") else "Bearer"


lock = threading.Lock()
used = {}


class Window(SimpleRateThrottle):
    """DRF's sliding log, without its cache and its race, and with the values for the headers."""

    def __init__(self, limit):
        self.num_requests, self.duration = limit

    def take(self, who):
        with lock:
            now = time.time()
            log = [at for at in used.get((who, self.duration), []) if at > now - self.duration]
            allowed = len(log) < self.num_requests
            if allowed:
                log.append(now)
            used[(who, self.duration)] = log
            return allowed, self.num_requests - len(log), log[0] + self.duration


used[(EXHAUSTED, DAY[1])] = [time.time()] * DAY[0]


def error(status, code, message, headers=None):
    body = {"code": code, "message": message, "status": status}
    if broken("message-as-object"):
        body["message"] = {"name": [message]}
    if broken("status-missing-on-401") and status == 401:
        del body["status"]
    return Response(body, status=status, headers=headers)


def handle(exc, context):
    response = exception_handler(exc, context)
    if response is None:
        return None if broken("errors-unhandled") else error(500, "internal", "Internal error.")
    if broken("drf-error-bodies"):
        return response
    kept = {name: response[name] for name in ("WWW-Authenticate", "Allow") if name in response}
    return error(response.status_code, getattr(exc, "default_code", "error"), str(exc.detail), kept)


class View(APIView):
    authentication_classes = [Bearer]
    parser_classes = [parsers.JSONParser] + ([parsers.FormParser] if broken("forms-accepted") else [])

    def get_exception_handler(self):
        return handle

    def initial(self, request, *args, **kwargs):
        self.limit_headers = None
        if broken("throttle-after-authentication"):
            self.perform_authentication(request)
        who = request.META["REMOTE_ADDR"]
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() == "bearer" and token in [*KEYS, EXHAUSTED] and not broken("throttled-by-address"):
            who = token
        if broken("throttled-by-view"):
            who += type(self).__name__
        if broken("gets-not-throttled") and request.method == "GET":
            return super().initial(request, *args, **kwargs)
        for limit in [MINUTE] if broken("no-day") else [DAY, MINUTE]:
            allowed, left, reset = Window(limit).take(who)
            self.limit_headers = (limit[0], left, reset)
            if not allowed:
                self.limited = True
                raise exceptions.Throttled(wait=reset - time.time())
        return super().initial(request, *args, **kwargs)

    def finalize_response(self, request, response, *args, **kwargs):
        response = super().finalize_response(request, response, *args, **kwargs)
        if broken("only-429-has-headers") and response.status_code != 429:
            return response
        if getattr(self, "limit_headers", None) is not None:
            limit, left, reset = self.limit_headers
            response["X-RateLimit-Limit"] = limit if not broken("limit-of-window-in-text") else f"{limit}/minute"
            response["X-RateLimit-Remaining"] = left - 1 if broken("remaining-off-by-one") else left
            response["X-RateLimit-Reset"] = math.ceil(reset) + (3600 if broken("reset-in-local-time") else 0)
            if response.status_code == 429:
                response["Retry-After"] = max(1, math.ceil(reset - time.time()))
                if broken("retry-after-negative"):
                    response["Retry-After"] = -1
                if broken("retry-after-local-date"):
                    response["Retry-After"] = time.strftime("%a, %d %b %Y %H:%M:%S CET", time.localtime(reset))
        return response


class Pages(pagination.PageNumberPagination):
    page_size = 10


class Categories(View):
    def get(self, request):
        rows = Category.objects.order_by("id")
        if broken("joined-without-distinct"):
            rows = [*rows, *rows.filter(name__contains=" ")] or rows
        if broken("visible-when-described"):
            rows = rows.exclude(description=None)
        if broken("distinct-names"):
            rows = {row.name.casefold()[:15]: row for row in rows}.values()
        if broken("paginated"):
            page = Pages()
            return page.get_paginated_response(CategorySerializer(page.paginate_queryset(rows, request), many=True).data)
        shared = {"Cache-Control": "public, max-age=20"} if broken("cached-in-public") else None
        return Response(CategorySerializer(rows, many=True).data, headers=shared)

    def post(self, request):
        if broken("bulk-creation") and isinstance(request.data, list):
            return Response([], status=201)
        parsed = CategorySerializer(data=request.data)
        parsed.is_valid(raise_exception=True)
        if broken("get-or-create"):
            row, _ = Category.objects.get_or_create(name=parsed.validated_data["name"], defaults=parsed.validated_data)
        elif broken("id-writable") and isinstance(request.data.get("id"), int):
            row, _ = Category.objects.update_or_create(id=request.data["id"], defaults=parsed.validated_data)
        else:
            try:
                with transaction.atomic():
                    row = Category.objects.create(**parsed.validated_data)
            except IntegrityError:
                raise exceptions.ValidationError("name must be unique.") from None
        row.refresh_from_db()
        if broken("audit-fails-after-commit") and len(parsed.validated_data["name"]) > 40:
            raise exceptions.ValidationError("The audit log is full.")
        return Response(CategorySerializer(row).data, status=201)


class Named(View):
    def get(self, request, **_):
        return error(501, "not_implemented", "Not implemented yet.")


class Unknown(View):
    def initial(self, request, *args, **kwargs):
        super().initial(request, *args, **kwargs)
        raise exceptions.NotFound("No such operation.")


def orders_page(request):
    return HttpResponse("<h1>Orders</h1>")


slash = "/" if broken("slash-appended") else ""
urlpatterns = [
    path(f"v1/categories{slash}", Categories.as_view()),
    path("v1/store/orders", orders_page if broken("orders-without-view") else Named.as_view()),
    path("v1/pets/<pet>", Named.as_view()),
    *([] if broken("default-404", "slash-appended") else [re_path(".*", Unknown.as_view())]),
]

if __name__ == "__main__":
    from django.core.wsgi import get_wsgi_application

    application = get_wsgi_application()
    serve(application, host="127.0.0.1", port=int(os.environ["PORT"]), threads=8, _quiet=True)
