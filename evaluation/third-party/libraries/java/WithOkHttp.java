import java.io.IOException;
import java.util.concurrent.TimeUnit;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/** OkHttp does not retry 429. Configured: an interceptor with the loop and the gate. */
final class WithOkHttp {
    static Response retry(Interceptor.Chain chain) throws IOException {
        for (int retry = 0; ; retry++) {
            Petstore.passGate();
            Response response = chain.proceed(chain.request());
            if (response.code() != 429) return response;
            String after = response.header("Retry-After");
            Petstore.closeGate(after);
            if (retry == Petstore.ATTEMPTS - 1) return response;
            response.close();
            try {
                Thread.sleep(Petstore.pauseMs(after, retry));
            } catch (InterruptedException interrupted) {
                throw new IOException(interrupted);
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        var shipped = new OkHttpClient();
        var client = Petstore.asShipped(arguments)
            ? shipped
            : shipped.newBuilder().callTimeout(0, TimeUnit.SECONDS).addInterceptor(WithOkHttp::retry).build();
        var json = MediaType.get("application/json");
        Petstore.work((method, body) -> {
            var content = body == null ? null : RequestBody.create(body.getBytes(), json);
            var request = new Request.Builder().url(Petstore.URL).header("Authorization", Petstore.AUTHORIZATION);
            try (Response response = client.newCall(request.method(method, content).build()).execute()) {
                return response.code();
            }
        });
    }
}
